namespace Cluster.Glue.References;

/// <summary>A stream of the peer, whatever its items, as the link sees it: where they go.</summary>
internal interface IStreamReference
{
    ReferenceTable Table { get; }

    ulong Id { get; }

    /// <summary>Whether somebody has begun to read it.</summary>
    bool IsStarted { get; }

    /// <summary>A message names it to its owner.</summary>
    void NoteReturned();

    /// <summary>What a user gets; there is one.</summary>
    object NewRemote();

    /// <summary>Items have come. Called by the link's read loop.</summary>
    /// <exception cref="Wire.WireException">More than was asked for.</exception>
    void Arrived(ReadOnlySpan<byte> items);

    /// <summary>The producer has ended. Called by the link's read loop.</summary>
    void Ended(ReadOnlySpan<byte> fault);

    /// <summary>The link has ended before the stream.</summary>
    void Gone(GlueException cause);
}
