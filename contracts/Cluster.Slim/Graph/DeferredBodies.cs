using System.Diagnostics.CodeAnalysis;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Graph;

/// <summary>
/// The objects whose bodies wait because they lie deeper than the recursion limit, first in first out, and the read
/// ones whose finalizers wait. Owned by one writer or reader; bounded by the objects of the message.
/// </summary>
internal sealed class DeferredBodies
{
    private const int RetainedCount = 1024;

    private readonly Queue<(ObjectPlan Plan, object Instance)> _bodies = new();
    private readonly List<object> _suspended = [];

    /// <summary>Whether bodies wait.</summary>
    internal bool HasBodies => _bodies.Count > 0;

    /// <summary>How many bodies were put off so far, whether they still wait or not.</summary>
    internal int AddedCount { get; private set; }

    internal void Add(ObjectPlan plan, object instance)
    {
        AddedCount++;
        _bodies.Enqueue((plan, instance));
    }

    /// <summary>Puts a deep body off, unless it has to follow its head.</summary>
    internal void WriteOrAdd(SlimWriter writer, ObjectPlan plan, object value, int depth)
    {
        if (!plan.IsWrittenWhole(writer, value))
        {
            Add(plan, value);
            return;
        }

        if (depth > Heads.HeadDepthMax)
            Heads.ThrowTooDeep(plan.Type);
        plan.WriteBody(writer, value);
    }

    /// <summary>Writes the bodies that wait, and those that are put off meanwhile.</summary>
    internal void WriteAll(SlimWriter writer)
    {
        while (TryTake(out ObjectPlan plan, out object instance))
        {
            writer.Depth = 1;
            plan.WriteBody(writer, instance);
        }

        writer.Depth = 0;
    }

    /// <summary>Keeps the finalizer of an object from running before the graph is accepted.</summary>
    [SuppressMessage("Usage", "CA1816", Justification = "Suspends the finalizers of a message that may be refused.")]
    internal void Suspend(object instance)
    {
        GC.SuppressFinalize(instance);
        _suspended.Add(instance);
    }

    /// <summary>Lets finalizers run again, now that the message is good.</summary>
    internal void Accept()
    {
        foreach (object instance in _suspended)
            GC.ReRegisterForFinalize(instance);
        _suspended.Clear();
    }

    internal bool TryTake(out ObjectPlan plan, out object instance)
    {
        if (_bodies.TryDequeue(out (ObjectPlan Plan, object Instance) next))
        {
            (plan, instance) = next;
            return true;
        }

        plan = null!;
        instance = null!;
        return false;
    }

    internal void Clear()
    {
        if (_bodies.Count > 0)
            _bodies.Clear();
        if (_suspended.Count > 0)
            _suspended.Clear();
        AddedCount = 0;
        if (_bodies.Capacity > RetainedCount)
            _bodies.TrimExcess();
    }
}
