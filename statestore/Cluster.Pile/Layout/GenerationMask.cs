using System.Security.Cryptography;

namespace Cluster.Pile.Layout;

/// <summary>Turns the life counter of a slot into the generation that pointers carry, and back: the counter XOR a keyed
/// hash of the granule. So a pointer of another slot or pile matches only by chance, 1 in 2^28. An immutable
/// value.</summary>
internal readonly struct GenerationMask(ulong offset, ulong factor)
{
    /// <summary>The last counter. A slot that reaches it is retired: it is never handed out again.</summary>
    public const uint CounterMax = (1U << PilePointer.GenerationBits) - 1;

    private const ulong Spread = 0x9E3779B97F4A7C15;

    private readonly ulong _offset = offset;
    private readonly ulong _factor = factor | 1;

    /// <summary>The secret. A pile whose pointers shall stay valid elsewhere passes it on.</summary>
    public (ulong Offset, ulong Factor) Secret => (_offset, _factor);

    public static GenerationMask CreateRandom()
    {
        Span<byte> secret = stackalloc byte[16];
        RandomNumberGenerator.Fill(secret);
        return new GenerationMask(
            BinaryPrimitives.ReadUInt64LittleEndian(secret),
            BinaryPrimitives.ReadUInt64LittleEndian(secret[8..]));
    }

    public uint ToGeneration(uint counter, long granule) => counter ^ Mask(granule);

    public uint ToCounter(uint generation, long granule) => generation ^ Mask(granule);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private uint Mask(long granule)
    {
        var x = ((ulong)granule ^ _offset) * Spread;
        x = (x ^ (x >> 32)) * _factor;
        return (uint)(x >> (64 - PilePointer.GenerationBits));
    }
}
