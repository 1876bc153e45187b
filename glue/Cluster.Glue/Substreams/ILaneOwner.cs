namespace Cluster.Glue.Substreams;

/// <summary>The link that a lane belongs to, as the lane sees it.</summary>
internal interface ILaneOwner
{
    /// <summary>What comes in chunks shares this room, whatever lane it comes on.</summary>
    TransferRoom IncomingRoom { get; }

    /// <summary>Whether the peer says nothing more, and what it has sent is read for a bounded time only.</summary>
    bool IsPeerGone { get; }

    /// <summary>Handles the envelopes of one batch. Called one after the other for one lane.</summary>
    /// <exception cref="Wire.WireException">They do not follow the protocol.</exception>
    void Handle(Lane lane, ReadOnlySpan<byte> envelopes);

    /// <summary>Completes when the next batch of the lane may be read.</summary>
    ValueTask WaitForRoomAsync(Lane lane);

    /// <summary>Completes when the peer of a stream that it has ended in order has got everything.</summary>
    Task FinishAsync(Lane lane);
}
