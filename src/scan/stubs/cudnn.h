// cuDNN: activation modes and point-wise modes.
#pragma once
#include <gelint/cuda.h>
typedef struct cudnnContext* cudnnHandle_t; typedef struct gelint_cudnn_desc* cudnnTensorDescriptor_t; typedef gelint_cudnn_desc *cudnnActivationDescriptor_t, *cudnnFilterDescriptor_t, *cudnnConvolutionDescriptor_t;
enum cudnnStatus_t { CUDNN_STATUS_SUCCESS }; enum cudnnActivationMode_t { CUDNN_ACTIVATION_SIGMOID, CUDNN_ACTIVATION_RELU, CUDNN_ACTIVATION_TANH, CUDNN_ACTIVATION_CLIPPED_RELU, CUDNN_ACTIVATION_ELU, CUDNN_ACTIVATION_IDENTITY, CUDNN_ACTIVATION_SWISH };
enum cudnnPointwiseMode_t { CUDNN_POINTWISE_ADD, CUDNN_POINTWISE_MUL, CUDNN_POINTWISE_RELU_FWD, CUDNN_POINTWISE_TANH_FWD, CUDNN_POINTWISE_SIGMOID_FWD, CUDNN_POINTWISE_ELU_FWD, CUDNN_POINTWISE_GELU_FWD, CUDNN_POINTWISE_SOFTPLUS_FWD, CUDNN_POINTWISE_SWISH_FWD, CUDNN_POINTWISE_GELU_APPROX_TANH_FWD, CUDNN_POINTWISE_ERF, CUDNN_POINTWISE_RELU_BWD, CUDNN_POINTWISE_GELU_BWD, CUDNN_POINTWISE_GELU_APPROX_TANH_BWD };
enum cudnnDataType_t { CUDNN_DATA_FLOAT, CUDNN_DATA_HALF, CUDNN_DATA_BFLOAT16 }; enum cudnnNanPropagation_t { CUDNN_NOT_PROPAGATE_NAN }; enum cudnnTensorFormat_t { CUDNN_TENSOR_NCHW };
template <class... A> cudnnStatus_t cudnnSetActivationDescriptor(A&&...); template <class... A> cudnnStatus_t cudnnActivationForward(A&&...); template <class... A> cudnnStatus_t cudnnConvolutionForward(A&&...); template <class... A> cudnnStatus_t cudnnConvolutionBiasActivationForward(A&&...); template <class... A> cudnnStatus_t cudnnBackendSetAttribute(A&&...);
namespace cudnn_frontend { enum class PointwiseMode_t { RELU_FWD, TANH_FWD, SIGMOID_FWD, GELU_FWD, SWISH_FWD, GELU_APPROX_TANH_FWD, ERF, GELU_BWD, GELU_APPROX_TANH_BWD }; namespace graph { struct Graph; } }
