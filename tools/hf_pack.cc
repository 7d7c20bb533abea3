// Build-time tool: packs hf_defaults/ into the block that gelint links in.  hf_pack DIRECTORY OUTPUT

#include "hf/pack.h"
#include "support/files.h"

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: hf_pack HF_DEFAULTS_DIRECTORY OUTPUT\n", stderr);
    return 2;
  }
  gelint::Result<std::string> pack = gelint::hf::build_pack(argv[1]);
  if (!pack) {
    std::fprintf(stderr, "hf_pack: %s\n", pack.error().text().c_str());
    return 2;
  }
  gelint::Status written = gelint::write_file_atomically(argv[2], *pack);
  if (!written) {
    std::fprintf(stderr, "hf_pack: %s\n", written.error().text().c_str());
    return 2;
  }
  return 0;
}
