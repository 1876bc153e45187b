namespace Cluster.Glue.Settings;

/// <summary>Stretches default times while a debugger is attached, so that a user who steps through a method does not
/// reach its deadline, or lose the link. Pure.</summary>
internal static class DebuggerTimeouts
{
    private const int Factor = 60;

    /// <summary>The time, sixty times as long if it is the default and a debugger is attached.</summary>
    public static TimeSpan Stretch(TimeSpan time, TimeSpan byDefault, bool isDebugged) =>
        isDebugged && time == byDefault ? time * Factor : time;
}
