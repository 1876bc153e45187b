using Cluster.StateStore.Hosting.Formats;

namespace Cluster.StateStore.Hosting.Feeds;

/// <summary>Gets what the watches of one state tell. Called by one caller at a time.</summary>
internal interface IFeedReader
{
    /// <summary>All changes of a partition are told from now on. Some before may have been missed.</summary>
    /// <param name="index">The number of the partition within its set.</param>
    void Begun(int index);

    /// <summary>A record has changed.</summary>
    void Changed(in FeedChange change);

    /// <summary>At a moment of the own clock, nothing had changed in a partition that was not told.</summary>
    void Confirmed(int index, long at);

    /// <summary>Lets the reader keep up before the next question is sent.</summary>
    ValueTask DrainAsync(CancellationToken cancellationToken);
}
