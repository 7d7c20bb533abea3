#pragma once
#include <gelint/std.h>
typedef struct _cl_kernel* cl_kernel; typedef struct _cl_program* cl_program; typedef struct _cl_mem* cl_mem; typedef struct _cl_context* cl_context; typedef struct _cl_command_queue* cl_command_queue; typedef struct _cl_device_id* cl_device_id; typedef struct _cl_platform_id* cl_platform_id; typedef struct _cl_event* cl_event; typedef int cl_int; typedef unsigned cl_uint; typedef unsigned long cl_ulong; typedef float cl_float; typedef unsigned short cl_half; typedef unsigned char cl_uchar; typedef unsigned cl_bool; typedef unsigned long cl_mem_flags;
#define CL_SUCCESS 0
#define CL_TRUE 1
#define CL_FALSE 0
#ifdef __cplusplus
extern "C" {
#endif
cl_kernel clCreateKernel(cl_program, const char*, cl_int*); cl_int clSetKernelArg(cl_kernel, cl_uint, size_t, const void*); cl_int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint, const size_t*, const size_t*, const size_t*, cl_uint, const cl_event*, cl_event*); cl_int clReleaseProgram(cl_program); cl_int clFinish(cl_command_queue);
#ifdef __cplusplus
}
#endif
