// The rival of the Graph Engine test: cells of 314 bytes in a std::unordered_map, replaced and removed blocks freed.
// Usage: unordered_map <iterations> <cells to reserve>. Prints "ready" and waits for input or its end.
// Prints then: seconds resident-bytes-before resident-bytes live-cells payload-bytes checksum.
// CellSequence.cs and CellChecksum.cs are the same in C#; both sides must print the same cells, bytes and checksum.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <unordered_map>

namespace {

constexpr std::uint32_t cell_bytes = 314;

struct Cell {
    unsigned char* bytes;
    std::uint32_t length;
    std::uint16_t type;
};

struct Step {
    std::uint64_t id;
    std::uint16_t type;
    unsigned char fill;
    bool removes;
};

class Stream {
public:
    Step next() {
        state += 0x9E3779B97F4A7C15u;
        std::uint64_t mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
        mixed ^= mixed >> 31;
        return {mixed & 0xFFFFFFFFu, static_cast<std::uint16_t>(mixed >> 32),
                static_cast<unsigned char>(mixed >> 48), (mixed >> 56) % 3 == 0};
    }

private:
    std::uint64_t state = 0x5EED5EED5EED5EEDu;
};

std::uint64_t checksum_of(std::uint64_t id, const Cell& cell) {
    constexpr std::uint64_t prime = 0x9E3779B185EBCA87u;
    std::uint64_t sum = (id + 1) * prime;
    sum = (sum ^ cell.type) * prime;
    sum = (sum ^ cell.length) * prime;
    std::uint32_t offset = 0;
    for (; offset + 8 <= cell.length; offset += 8) {
        std::uint64_t word;
        std::memcpy(&word, cell.bytes + offset, 8);
        sum = (sum ^ word) * prime;
    }
    for (; offset < cell.length; offset++)
        sum = (sum ^ cell.bytes[offset]) * prime;
    return sum ^ (sum >> 29);
}

long long resident_bytes() {
    long long whole = 0, resident = 0;
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr || std::fscanf(file, "%lld %lld", &whole, &resident) != 2)
        std::exit(3);
    std::fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3)
        return 2;
    const long long iterations = std::atoll(arguments[1]);
    const long long reserved = std::atoll(arguments[2]);
    std::puts("ready");  // The harness touches memory now and then closes the input.
    std::fflush(stdout);
    std::getchar();
    Stream stream;
    const long long before = resident_bytes();
    const auto started = std::chrono::steady_clock::now();
    std::unordered_map<std::uint64_t, Cell> cells;
    if (reserved > 0)
        cells.reserve(static_cast<std::size_t>(reserved));
    for (long long i = 0; i < iterations; i++) {
        const Step step = stream.next();
        auto* bytes = static_cast<unsigned char*>(std::malloc(cell_bytes));
        if (bytes == nullptr)
            return 4;
        std::memset(bytes, step.fill, cell_bytes);
        auto [place, is_new] = cells.try_emplace(step.id, Cell{bytes, cell_bytes, step.type});
        if (!is_new) {
            std::free(place->second.bytes);
            place->second = Cell{bytes, cell_bytes, step.type};
        }
        if (step.removes) {
            std::free(place->second.bytes);
            cells.erase(place);
        }
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    const long long resident = resident_bytes();
    std::uint64_t checksum = 0;
    long long payload = 0;
    for (const auto& [id, cell] : cells) {
        checksum += checksum_of(id, cell);
        payload += cell.length;
    }
    std::printf("%.6f %lld %lld %zu %lld %016llx\n", seconds, before, resident, cells.size(), payload,
                static_cast<unsigned long long>(checksum));
    std::fflush(stdout);
    _exit(0);  // Taking 44 million cells apart again is no part of the test.
}
