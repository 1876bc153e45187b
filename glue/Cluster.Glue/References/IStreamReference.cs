namespace Cluster.Glue.References;

/// <summary>A stream of the peer, whatever the type of its items, as the link sees it.</summary>
internal interface IStreamReference
{
    ReferenceTable Table { get; }

    ulong Id { get; }

    /// <summary>Whether a user has begun to read it.</summary>
    bool IsStarted { get; }

    /// <summary>Notes that a message names it to its owner.</summary>
    void NoteReturned();

    /// <summary>Creates the stream object for the user; there is one.</summary>
    object NewRemote();

    /// <summary>Takes items. Called by the link's read loop.</summary>
    /// <exception cref="Wire.WireException">The peer has sent more than the credit allows.</exception>
    void Arrived(ReadOnlySpan<byte> items);

    /// <summary>Notes the end of the producer. Called by the link's read loop.</summary>
    void Ended(ReadOnlySpan<byte> fault);

    /// <summary>Notes that the link has ended before the stream.</summary>
    void Gone(GlueException cause);
}
