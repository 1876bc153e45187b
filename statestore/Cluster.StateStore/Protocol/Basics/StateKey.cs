using Cluster.Slim.Hosting;

namespace Cluster.StateStore.Protocol.Basics;

/// <summary>A key of one state. Compares by content; the bytes are not changed while the key is in use.</summary>
/// <param name="State">The id of the state.</param>
/// <param name="Bytes">The canonical bytes of the key.</param>
internal readonly record struct StateKey(uint State, ReadOnlyMemory<byte> Bytes) : IComparable<StateKey>
{
    public bool Equals(StateKey other) => State == other.State && Bytes.Span.SequenceEqual(other.Bytes.Span);

    public override int GetHashCode() => HashCode.Combine(State, XxHash3.Hash(Bytes.Span));

    /// <summary>Returns a key whose bytes nobody else changes.</summary>
    public StateKey Copy() => this with { Bytes = Bytes.ToArray() };

    public int CompareTo(StateKey other) => State == other.State
        ? Bytes.Span.SequenceCompareTo(other.Bytes.Span)
        : State.CompareTo(other.State);
}
