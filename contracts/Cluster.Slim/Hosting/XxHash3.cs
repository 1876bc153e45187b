using System.Buffers.Binary;
using System.Numerics;

namespace Cluster.Slim.Hosting;

/// <summary>
/// The 64-bit hash of all parts: XXH3 with 64-bit result, after its published specification. It has no state.
/// Same bytes and seed give the same value on every machine and in every version.
/// </summary>
public static class XxHash3
{
    private const int StripeBytes = 64;
    private const int AccumulatorCount = 8;
    private const int SecretStepBytes = 8;
    private const int SecretBytesMin = 136;
    private const int StripesPerBlock = (192 - StripeBytes) / SecretStepBytes;

    private const uint Prime32A = 0x9E3779B1;
    private const uint Prime32B = 0x85EBCA77;
    private const uint Prime32C = 0xC2B2AE3D;
    private const ulong Prime64A = 0x9E3779B185EBCA87;
    private const ulong Prime64B = 0xC2B2AE3D27D4EB4F;
    private const ulong Prime64C = 0x165667B19E3779F9;
    private const ulong Prime64D = 0x85EBCA77C2B2AE63;
    private const ulong Prime64E = 0x27D4EB2F165667C5;
    private const ulong PrimeMixA = 0x165667919E3779F9;
    private const ulong PrimeMixB = 0x9FB21C651E98DF25;

    private static ReadOnlySpan<byte> Secret =>
    [
        0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
        0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
        0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
        0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
        0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3, 0x71,
        0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8, 0xa8,
        0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d, 0x8a,
        0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64, 0xea,
        0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb, 0x17,
        0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e, 0x2b,
        0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce, 0x45,
        0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
    ];

    /// <summary>Hashes the bytes.</summary>
    /// <param name="data">Any length, also zero.</param>
    /// <param name="seed">Keeps hash spaces apart; zero is the plain hash.</param>
    public static ulong Hash(ReadOnlySpan<byte> data, ulong seed = 0) => data.Length switch
    {
        0 => Avalanche64(seed ^ (U64(Secret, 56) ^ U64(Secret, 64))),
        <= 3 => HashTo3(data, seed),
        <= 8 => HashTo8(data, seed),
        <= 16 => HashTo16(data, seed),
        <= 128 => HashTo128(data, seed),
        <= 240 => HashTo240(data, seed),
        _ => HashLong(data, seed),
    };

    private static ulong HashTo3(ReadOnlySpan<byte> data, ulong seed)
    {
        uint first = data[0];
        uint middle = data[data.Length >> 1];
        uint last = data[^1];
        uint combined = (first << 16) | (middle << 24) | last | ((uint)data.Length << 8);
        ulong flip = (U32(Secret, 0) ^ U32(Secret, 4)) + seed;
        return Avalanche64(combined ^ flip);
    }

    private static ulong HashTo8(ReadOnlySpan<byte> data, ulong seed)
    {
        seed ^= (ulong)BinaryPrimitives.ReverseEndianness((uint)seed) << 32;
        uint first = U32(data, 0);
        uint last = U32(data, data.Length - 4);
        ulong flip = (U64(Secret, 8) ^ U64(Secret, 16)) - seed;
        ulong keyed = (last + ((ulong)first << 32)) ^ flip;
        keyed ^= BitOperations.RotateLeft(keyed, 49) ^ BitOperations.RotateLeft(keyed, 24);
        keyed *= PrimeMixB;
        keyed ^= (keyed >> 35) + (ulong)data.Length;
        keyed *= PrimeMixB;
        return keyed ^ (keyed >> 28);
    }

    private static ulong HashTo16(ReadOnlySpan<byte> data, ulong seed)
    {
        ulong flipLow = (U64(Secret, 24) ^ U64(Secret, 32)) + seed;
        ulong flipHigh = (U64(Secret, 40) ^ U64(Secret, 48)) - seed;
        ulong low = U64(data, 0) ^ flipLow;
        ulong high = U64(data, data.Length - 8) ^ flipHigh;
        ulong sum = (ulong)data.Length + BinaryPrimitives.ReverseEndianness(low) + high + MulFold(low, high);
        return Avalanche(sum);
    }

    private static ulong HashTo128(ReadOnlySpan<byte> data, ulong seed)
    {
        ulong sum = (ulong)data.Length * Prime64A;
        for (int step = (data.Length - 1) / 32; step >= 0; step--)
        {
            sum += Mix16(data, 16 * step, 32 * step, seed);
            sum += Mix16(data, data.Length - (16 * (step + 1)), (32 * step) + 16, seed);
        }

        return Avalanche(sum);
    }

    private static ulong HashTo240(ReadOnlySpan<byte> data, ulong seed)
    {
        const int StartOffset = 3;
        const int LastOffset = 17;
        ulong sum = (ulong)data.Length * Prime64A;
        int rounds = data.Length / 16;
        for (int i = 0; i < 8; i++)
            sum += Mix16(data, 16 * i, 16 * i, seed);
        sum = Avalanche(sum);
        for (int i = 8; i < rounds; i++)
            sum += Mix16(data, 16 * i, (16 * (i - 8)) + StartOffset, seed);
        sum += Mix16(data, data.Length - 16, SecretBytesMin - LastOffset, seed);
        return Avalanche(sum);
    }

    private static ulong HashLong(ReadOnlySpan<byte> data, ulong seed)
    {
        Span<byte> secret = stackalloc byte[192];
        DeriveSecret(seed, secret);
        Span<ulong> sums =
            [Prime32C, Prime64A, Prime64B, Prime64C, Prime64D, Prime32B, Prime64E, Prime32A];
        const int BlockBytes = StripeBytes * StripesPerBlock;
        int blocks = (data.Length - 1) / BlockBytes;
        for (int block = 0; block < blocks; block++)
        {
            AccumulateStripes(sums, data.Slice(block * BlockBytes, BlockBytes), secret, StripesPerBlock);
            Scramble(sums, secret[^StripeBytes..]);
        }

        ReadOnlySpan<byte> rest = data[(blocks * BlockBytes)..];
        AccumulateStripes(sums, rest, secret, (rest.Length - 1) / StripeBytes);
        Accumulate(sums, data[^StripeBytes..], secret.Slice(secret.Length - StripeBytes - 7, StripeBytes));
        return Merge(sums, secret.Slice(11, StripeBytes), (ulong)data.Length * Prime64A);
    }

    private static void DeriveSecret(ulong seed, Span<byte> secret)
    {
        for (int i = 0; i < 192; i += 16)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(secret[i..], U64(Secret, i) + seed);
            BinaryPrimitives.WriteUInt64LittleEndian(secret[(i + 8)..], U64(Secret, i + 8) - seed);
        }
    }

    private static void AccumulateStripes(
        Span<ulong> sums, ReadOnlySpan<byte> data, ReadOnlySpan<byte> secret, int stripes)
    {
        for (int i = 0; i < stripes; i++)
            Accumulate(sums, data.Slice(i * StripeBytes, StripeBytes), secret[(i * SecretStepBytes)..]);
    }

    private static void Accumulate(Span<ulong> sums, ReadOnlySpan<byte> stripe, ReadOnlySpan<byte> secret)
    {
        for (int i = 0; i < AccumulatorCount; i++)
        {
            ulong value = U64(stripe, i * 8);
            ulong keyed = value ^ U64(secret, i * 8);
            sums[i ^ 1] += value;
            sums[i] += (ulong)(uint)keyed * (keyed >> 32);
        }
    }

    private static void Scramble(Span<ulong> sums, ReadOnlySpan<byte> secret)
    {
        for (int i = 0; i < AccumulatorCount; i++)
        {
            ulong sum = sums[i];
            sum ^= sum >> 47;
            sum ^= U64(secret, i * 8);
            sums[i] = sum * Prime32A;
        }
    }

    private static ulong Merge(ReadOnlySpan<ulong> sums, ReadOnlySpan<byte> secret, ulong start)
    {
        ulong result = start;
        for (int i = 0; i < 4; i++)
            result += MulFold(sums[2 * i] ^ U64(secret, 16 * i), sums[(2 * i) + 1] ^ U64(secret, (16 * i) + 8));
        return Avalanche(result);
    }

    private static ulong Mix16(ReadOnlySpan<byte> data, int dataOffset, int secretOffset, ulong seed) =>
        MulFold(
            U64(data, dataOffset) ^ (U64(Secret, secretOffset) + seed),
            U64(data, dataOffset + 8) ^ (U64(Secret, secretOffset + 8) - seed));

    private static ulong MulFold(ulong left, ulong right)
    {
        ulong high = Math.BigMul(left, right, out ulong low);
        return high ^ low;
    }

    private static ulong Avalanche(ulong hash)
    {
        hash ^= hash >> 37;
        hash *= PrimeMixA;
        return hash ^ (hash >> 32);
    }

    private static ulong Avalanche64(ulong hash)
    {
        hash ^= hash >> 33;
        hash *= Prime64B;
        hash ^= hash >> 29;
        hash *= Prime64C;
        return hash ^ (hash >> 32);
    }

    private static uint U32(ReadOnlySpan<byte> data, int offset) =>
        BinaryPrimitives.ReadUInt32LittleEndian(data[offset..]);

    private static ulong U64(ReadOnlySpan<byte> data, int offset) =>
        BinaryPrimitives.ReadUInt64LittleEndian(data[offset..]);
}
