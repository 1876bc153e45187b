using System.Runtime.Intrinsics;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Roots;

/// <summary>The first bytes of every standalone message whose root is of exactly the declared type: header, head and
/// type of the root. Writers copy them and readers compare them, instead of describing and finding the same type for
/// every message. Made after the first such message; immutable; shared by all threads.</summary>
internal sealed class RootLead
{
    private const int BlockBytes = 32;

    private readonly byte[] _padded;
    private readonly bool _isSealed;

    /// <summary>Makes the lead.</summary>
    /// <param name="serializer">The serializer of the declared type.</param>
    /// <param name="described">The type as the first entry of a type table, or null when it has none there.</param>
    /// <param name="describedBytes">The bytes that its description counts against the limit; 0 when it has
    /// none.</param>
    /// <param name="bytes">The first bytes of the message.</param>
    public RootLead(TypeSerializer serializer, DescribedType? described, int describedBytes, ReadOnlySpan<byte> bytes)
    {
        Serializer = serializer;
        Described = described;
        DescribedBytes = describedBytes;
        Length = bytes.Length;
        _padded = new byte[(bytes.Length + BlockBytes - 1) / BlockBytes * BlockBytes];
        _isSealed = serializer.Type.IsSealed && !serializer.Type.IsArray;
        bytes.CopyTo(_padded);
    }

    public TypeSerializer Serializer { get; }

    public DescribedType? Described { get; }

    /// <summary>The bytes that the description counts against the limit.</summary>
    public int DescribedBytes { get; }

    /// <summary>Whether no object below the root can be shared.</summary>
    public bool IsShareless { get; init; }

    /// <summary>The types of elements that only one list or array below the root can hold, or null.</summary>
    public Type[]? LoneElements { get; init; }

    public int Length { get; }

    /// <summary>The room that <see cref="CopyTo"/> needs.</summary>
    public int PaddedLength => _padded.Length;

    public ReadOnlySpan<byte> Bytes => _padded.AsSpan(0, Length);

    /// <summary>Whether the object is of exactly the type.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Fits(object value) => _isSealed || value.GetType() == Serializer.Type;

    /// <summary>Copies the bytes with their padding to whole blocks: most leads are few blocks, which need no
    /// call.</summary>
    public void CopyTo(ref byte target)
    {
        ReadOnlySpan<byte> padded = _padded;
        ref var source = ref MemoryMarshal.GetReference(padded);
        for (nuint at = 0; at < (nuint)padded.Length; at += BlockBytes)
            Vector256.LoadUnsafe(ref source, at).StoreUnsafe(ref target, at);
    }
}
