#include "cli/cli.h"

int main(int argc, char** argv) { return gelint::cli::run(argc, argv); }
