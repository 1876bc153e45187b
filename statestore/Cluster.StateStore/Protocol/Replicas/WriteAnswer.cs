using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>The answer to a write. Immutable.</summary>
/// <param name="Outcome">How it ended.</param>
internal readonly record struct WriteAnswer(WriteOutcome Outcome)
{
    private const int FixedBytes = 9;
    private const byte HasChangedFlag = 1;
    private const byte IsResultLeftOutFlag = 2;

    /// <summary>Whether the write has changed the record. It has not where there was none to remove or to touch, or
    /// where the version was another one.</summary>
    public bool Flag { get; init; }

    /// <summary>The version of the record afterwards; zero without a record.</summary>
    public EntryId Version { get; init; }

    /// <summary>What the operation of the user returned.</summary>
    public ReadOnlyMemory<byte> Result { get; init; }

    /// <summary>Whether the operation returned more than a request table remembers.</summary>
    public bool IsResultLeftOut { get; init; }

    /// <summary>Whether an earlier attempt of the request has had the effect.</summary>
    public bool IsRepeated { get; init; }

    /// <summary>Reads an answer that a request table has remembered.</summary>
    public static WriteAnswer Decode(ReadOnlyMemory<byte> bytes) => bytes.Length < FixedBytes
        ? throw new StateFormatException($"Answer of a write: {bytes.Length} bytes are fewer than {FixedBytes}.")
        : new WriteAnswer(WriteOutcome.Done)
        {
            Flag = (bytes.Span[0] & HasChangedFlag) != 0,
            IsResultLeftOut = (bytes.Span[0] & IsResultLeftOutFlag) != 0,
            IsRepeated = true,
            Version = new EntryId(BinaryPrimitives.ReadUInt64LittleEndian(bytes.Span[1..])),
            Result = bytes[FixedBytes..],
        };

    /// <summary>Returns the form in which a request table remembers the answer.</summary>
    public byte[] Encode()
    {
        var bytes = new byte[FixedBytes + Result.Length];
        bytes[0] = (byte)((Flag ? HasChangedFlag : 0) | (IsResultLeftOut ? IsResultLeftOutFlag : 0));
        BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(1), Version.Value);
        Result.CopyTo(bytes.AsMemory(FixedBytes));
        return bytes;
    }
}
