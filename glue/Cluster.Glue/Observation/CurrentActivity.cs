namespace Cluster.Glue.Observation;

/// <summary>The current activity of a moment, to be set again in the same method. The property of
/// <see cref="Activity"/> refuses an activity that has ended, so the whole execution context is restored where it
/// flows. Immutable.</summary>
internal readonly struct CurrentActivity
{
    private readonly ExecutionContext? _context;
    private readonly Activity? _activity;

    private CurrentActivity(ExecutionContext? context, Activity? activity) =>
        (_context, _activity) = (context, activity);

    public static CurrentActivity Keep() =>
        ExecutionContext.Capture() is { } context ? new(context, null) : new(null, Activity.Current);

    /// <summary>Restores the activity. True: and everything else that flows with the execution context.</summary>
    public bool Restore()
    {
        if (_context is null)
        {
            Activity.Current = _activity;
            return false;
        }

        ExecutionContext.Restore(_context);
        return true;
    }
}
