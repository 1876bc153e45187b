using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Catalog;

/// <summary>Whether calls of one method run on the thread that reads their connection. They do so only after the first
/// call has ended, because first calls wait for code to be compiled, and never again after one that took too long.
/// Atomic.</summary>
internal sealed class InlineRun
{
    private const int IsNew = 0;
    private const int IsWarm = 1;
    private const int IsOver = 2;

    private int _state;

    public bool IsDue => Volatile.Read(ref _state) == IsWarm;

    /// <summary>The state for a method of a service; null when its class does not ask for inline runs.</summary>
    public static InlineRun? Of(ServiceRegistration registration, MethodInfo method)
    {
        if (registration.HasInstances || ServiceMethods.Find(registration.Implementation, method) is not { } own)
            return null;
        return own.IsDefined(typeof(RunInlineAttribute), inherit: false) ? new InlineRun() : null;
    }

    /// <summary>Notes that a call of the method has ended.</summary>
    public void NoteEnded()
    {
        if (Volatile.Read(ref _state) == IsNew)
            Interlocked.CompareExchange(ref _state, IsWarm, IsNew);
    }

    /// <summary>Ends inline runs: calls run on the pool from now on. True for the first caller.</summary>
    public bool TryEnd() => Interlocked.Exchange(ref _state, IsOver) != IsOver;
}
