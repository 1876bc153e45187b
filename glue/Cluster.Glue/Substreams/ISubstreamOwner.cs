namespace Cluster.Glue.Substreams;

/// <summary>The link that a substream belongs to, as the substream sees it.</summary>
internal interface ISubstreamOwner
{
    /// <summary>The room that the incoming transfers of all substreams of the link share.</summary>
    TransferRoom IncomingRoom { get; }

    /// <summary>Whether the peer sends nothing more, and its earlier batches are read for a limited time
    /// only.</summary>
    bool IsPeerGone { get; }

    /// <summary>Handles the envelopes of one batch. The calls for one substream never overlap.</summary>
    /// <exception cref="Wire.WireException">The envelopes break the protocol.</exception>
    void Handle(Substream substream, ReadOnlySpan<byte> envelopes);

    /// <summary>Completes when the next batch of the substream may be read.</summary>
    ValueTask WaitForRoomAsync(Substream substream);

    /// <summary>Called after the peer has ended its half of the stream. Completes when this side has sent everything
    /// that the peer still needs.</summary>
    Task FinishAsync(Substream substream);
}
