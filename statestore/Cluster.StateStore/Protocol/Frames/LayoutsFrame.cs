namespace Cluster.StateStore.Protocol.Frames;

/// <summary>Layout descriptions that the receiver may not have, around the frame whose values may need them. Both
/// arrive together or not at all. Immutable.</summary>
/// <param name="Parts">The descriptions.</param>
/// <param name="Inner">The bytes of the other frame.</param>
internal sealed record LayoutsFrame(ImmutableArray<LayoutsPart> Parts, ReadOnlyMemory<byte> Inner);

/// <summary>Descriptions of one state, from one place of the sender's list on. Immutable.</summary>
/// <param name="State">The id of the state.</param>
/// <param name="First">The place of the first description.</param>
/// <param name="Descriptions">The descriptions.</param>
internal sealed record LayoutsPart(uint State, int First, ImmutableArray<byte[]> Descriptions)
{
    /// <summary>What the receiver of this part has.</summary>
    public LayoutMark Mark => new(State, First, First + Descriptions.Length);
}
