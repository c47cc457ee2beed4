// Prints a file of a workspace, or says why not: read_or_refuse ROOT PATH
#include <cordon/cordon.h>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: read_or_refuse ROOT PATH\n";
    return 2;
  }
  const auto workspace = cordon::Workspace::Open(argv[1]);
  if (!workspace) {
    std::cerr << workspace.error().detail << '\n';
    return 2;
  }
  auto file = workspace->OpenRead(argv[2]);
  if (!file) {
    std::cerr << cordon::ErrorCodeName(file.error().code) << ": " << file.error().Message(argv[2])
              << '\n';
    return 1;
  }
  if (file->peek() != std::istream::traits_type::eof()) std::cout << file->rdbuf();
  return file->bad() || !std::cout.flush() ? 1 : 0;
}
