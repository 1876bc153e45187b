using System.Security.Cryptography;
using Cluster.Slim.Hosting;

namespace Cluster.Pile.Tables.Records;

/// <summary>The keyed hash of keys; its secret belongs to the pile, so that an attacker cannot choose keys that
/// collide. Eight-byte keys have their own mixer, all others use XxHash3. An immutable value.</summary>
internal readonly struct KeyHash
{
    public const int SecretBytes = 16;

    private readonly ulong _seed;

    // Zero: the hash is a seeded one.
    private readonly ulong _factor;

    public KeyHash(ReadOnlySpan<byte> secret)
    {
        _seed = BinaryPrimitives.ReadUInt64LittleEndian(secret);
        _factor = BinaryPrimitives.ReadUInt64LittleEndian(secret[sizeof(ulong)..]) | 1;
    }

    private KeyHash(ulong seed) => _seed = seed;

    /// <summary>The hash XxHash3 with a given seed for keys of every length. For tables whose owner has chosen the
    /// hash.</summary>
    public static KeyHash Seeded(ulong seed) => new(seed);

    public static KeyHash CreateRandom()
    {
        Span<byte> secret = stackalloc byte[SecretBytes];
        RandomNumberGenerator.Fill(secret);
        return new KeyHash(secret);
    }

    /// <summary>Copies the secret out; a pile that restores the records needs it.</summary>
    public void CopyTo(Span<byte> secret)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(secret, _seed);
        BinaryPrimitives.WriteUInt64LittleEndian(secret[sizeof(ulong)..], _factor);
    }

    /// <summary>The hash of an integer; equal to the hash of its eight bytes, little-endian. Not for a seeded
    /// hash.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong OfInteger(long key)
    {
        var x = ((ulong)key ^ _seed) * _factor;
        x = (x ^ (x >> 32)) * 0x9FB21C651E98DF25;
        x = (x ^ (x >> 29)) * 0xD6E8FEB86659FD93;
        return x ^ (x >> 32);
    }

    public ulong OfBytes(ReadOnlySpan<byte> key) =>
        key.Length == sizeof(long) && _factor != 0
            ? OfInteger(BinaryPrimitives.ReadInt64LittleEndian(key))
            : XxHash3.Hash(key, _seed);
}
