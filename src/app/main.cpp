// The server and its command line. Exceptions end here, with a line and an exit code.
#include <exception>
#include <iostream>

#include "app/cli/cli.h"

int main(int argc, char** argv) {
    try {
        return understudy::app::run_cli(argc, argv, std::cout, std::cerr);
    } catch (const std::exception& error) {
        std::cerr << "understudy: " << error.what() << '\n';
        return 1;
    }
}
