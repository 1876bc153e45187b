namespace Cluster.Pile.Tests.Litmus;

/// <summary>What the woven build calls: before each access to the pile's memory, where a test may let something happen
/// in between, and at each check that it may leave out. One for each load of the woven build. Settings are made while
/// nothing runs; reaching is for the thread that set an action, or for all.</summary>
internal static class LitmusPoints
{
    [ThreadStatic]
    private static Action? _action;

    [ThreadStatic]
    private static int _depth;

    private static Action? _actionOfAll;
    private static LitmusCheck _skipped;

    /// <summary>The check that is left out.</summary>
    public static LitmusCheck Skipped
    {
        get => _skipped;
        set => _skipped = value;
    }

    /// <summary>Runs on each thread before each access.</summary>
    public static Action? ActionOfAll
    {
        get => _actionOfAll;
        set => _actionOfAll = value;
    }

    /// <summary>Runs on this thread before each access, except for those of the action itself and within operations
    /// that others wait for: there one thread cannot play two.</summary>
    public static Action? Action
    {
        get => _action;
        set => _action = value;
    }

    public static bool Skips(LitmusCheck check) => check == _skipped;

    public static void Enter() => _depth++;

    public static void Exit() => _depth--;

    public static void Reach()
    {
        _actionOfAll?.Invoke();
        var action = _action;
        if (action is null || _depth > 0)
            return;
        _action = null;
        try
        {
            action();
        }
        finally
        {
            _action = action;
        }
    }
}
