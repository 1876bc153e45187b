namespace Cluster.Glue.Substreams;

/// <summary>The link that a substream belongs to, as the substream sees it.</summary>
internal interface ISubstreamOwner
{
    /// <summary>What comes in chunks shares this room, whatever substream it comes on.</summary>
    TransferRoom IncomingRoom { get; }

    /// <summary>Whether the peer says nothing more, and what it has sent is read for a bounded time only.</summary>
    bool IsPeerGone { get; }

    /// <summary>Handles the envelopes of one batch. Called one after the other for one substream.</summary>
    /// <exception cref="Wire.WireException">They do not follow the protocol.</exception>
    void Handle(Substream substream, ReadOnlySpan<byte> envelopes);

    /// <summary>Completes when the next batch of the substream may be read.</summary>
    ValueTask WaitForRoomAsync(Substream substream);

    /// <summary>Completes when the peer of a stream that it has ended in order has got everything.</summary>
    Task FinishAsync(Substream substream);
}
