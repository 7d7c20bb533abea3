#pragma once
#include <gelint/std.h>
namespace pybind11 { struct gelint_any { template <class... A> gelint_any(A&&...); template <class T> operator T() const; template <class... A> gelint_any& def(A&&...); template <class... A> gelint_any& value(A&&...); template <class... A> gelint_any& attr(A&&...); template <class... A> gelint_any operator()(A&&...) const; }; struct module_ : gelint_any { using gelint_any::gelint_any; }; struct object : gelint_any { using gelint_any::gelint_any; }; struct dict : object {}; struct list : object {}; struct tuple : object {}; struct str : object {}; template <class... T> struct class_ : gelint_any { using gelint_any::gelint_any; }; template <class T> struct enum_ : gelint_any { using gelint_any::gelint_any; }; struct arg : gelint_any { using gelint_any::gelint_any; }; template <class... T> struct init {}; struct gil_scoped_release {}; namespace literals { arg operator""_a(const char*, size_t); } } namespace nanobind = pybind11;
#ifndef PYBIND11_MODULE
#define PYBIND11_MODULE(n, m) static void gelint_pybind_##n(pybind11::module_& m)
#define NB_MODULE(n, m) static void gelint_nb_##n(pybind11::module_& m)
#endif
