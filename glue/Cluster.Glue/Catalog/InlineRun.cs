using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Catalog;

/// <summary>Whether calls of one method run on the thread that reads their connection just now: not before one has
/// ended, since the first ones wait for code to be compiled, and never again after one that took too long.
/// Atomic.</summary>
internal sealed class InlineRun
{
    private const int IsNew = 0;
    private const int IsWarm = 1;
    private const int IsOver = 2;

    private int _state;

    public bool IsDue => Volatile.Read(ref _state) == IsWarm;

    /// <summary>That of a method of a service; null when its class does not ask for it.</summary>
    public static InlineRun? Of(ServiceRegistration registration, MethodInfo method)
    {
        if (registration.HasInstances || ServiceMethods.Find(registration.Implementation, method) is not { } own)
            return null;
        return own.IsDefined(typeof(RunInlineAttribute), inherit: false) ? new InlineRun() : null;
    }

    /// <summary>A call of the method has ended.</summary>
    public void NoteEnded()
    {
        if (Volatile.Read(ref _state) == IsNew)
            Interlocked.CompareExchange(ref _state, IsWarm, IsNew);
    }

    /// <summary>Calls run on the pool from now on; true for the first who says so.</summary>
    public bool TryEnd() => Interlocked.Exchange(ref _state, IsOver) != IsOver;
}
