namespace Cluster.Glue.Scheduling;

/// <summary>Something with calls under way whose deadlines a <see cref="LinkClock"/> watches.</summary>
internal interface IBeating
{
    /// <summary>Calls are under way, so beats come fast.</summary>
    bool IsBusy { get; }

    /// <summary>One beat; they never overlap.</summary>
    void Beat(long now);
}
