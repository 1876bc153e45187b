
namespace Cluster.Slim.Messages;

/// <summary>The integers by which messages of the in-process profile name types. Reads are lock-free; whoever adds
/// holds a lock of its own.</summary>
internal sealed class ProcessTypes
{
    private volatile ObjectPlan?[] _plans = [];

    /// <summary>How many integers stand for types.</summary>
    public int Count => _plans.Length;

    /// <summary>The plans by integer; null where an integer of an earlier process has no type in this one.</summary>
    public ReadOnlySpan<ObjectPlan?> Plans => _plans;

    public ObjectPlan? Find(uint number)
    {
        var plans = _plans;
        return number < (uint)plans.Length ? plans[number] : null;
    }

    /// <summary>Gives the plan the next integer.</summary>
    public void Add(ObjectPlan plan)
    {
        plan.ProcessId = _plans.Length;
        _plans = [.. _plans, plan];
    }

    /// <summary>Gives types the integers of an earlier process. Types that have an integer already come after
    /// them.</summary>
    public void Restore(IReadOnlyCollection<ObjectPlan?> restored)
    {
        ObjectPlan?[] plans = [.. restored, .. _plans.Except(restored)];
        for (var id = 0; id < plans.Length; id++)
        {
            if (plans[id] is { } plan)
                plan.ProcessId = id;
        }

        _plans = plans;
    }
}
