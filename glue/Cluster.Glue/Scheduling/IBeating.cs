namespace Cluster.Glue.Scheduling;

/// <summary>An owner of calls whose deadlines a <see cref="LinkClock"/> watches.</summary>
internal interface IBeating
{
    /// <summary>Whether calls are under way, so that the clock must beat fast.</summary>
    bool IsBusy { get; }

    /// <summary>One beat of the clock. Beats never overlap.</summary>
    void Beat(long now);
}
