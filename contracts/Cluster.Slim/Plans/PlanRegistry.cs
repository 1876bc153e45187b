using System.Collections.Concurrent;
using Cluster.Slim.Types;

namespace Cluster.Slim.Plans;

/// <summary>
/// All plans and slots of one serializer, made once per type at first use. Reads are lock-free; the lock orders the
/// making of plans and with it the integers that in-process messages use for types.
/// </summary>
internal sealed class PlanRegistry
{
    private readonly ConcurrentDictionary<Type, ObjectPlan> _plans = new();
    private readonly ConcurrentDictionary<Type, Slot> _slots = new();
    private readonly ConcurrentDictionary<string, ObjectPlan> _byName = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<ulong, ObjectPlan> _byFingerprint = new();
    private readonly Lock _making = new();
    private readonly PlanFactory _factory;
    private readonly LayoutFingerprints _fingerprints;
    private volatile ObjectPlan[] _byProcessId = [];

    internal PlanRegistry(TypeRules rules)
    {
        Rules = rules;
        _factory = new PlanFactory(this, rules);
        _fingerprints = new LayoutFingerprints(rules);
    }

    internal TypeRules Rules { get; }

    internal ObjectPlan PlanOf(Type type) => _plans.TryGetValue(type, out ObjectPlan? plan) ? plan : Make(type);

    internal Slot SlotOf(Type type) =>
        _slots.TryGetValue(type, out Slot? slot) ? slot : _slots.GetOrAdd(type, _factory.NewSlot(type));

    internal Slot<T> SlotOf<T>() => (Slot<T>)SlotOf(typeof(T));

    internal ulong FingerprintOf(Type type) => _fingerprints.Of(type);

    /// <summary>The fingerprints of the type before each rename.</summary>
    internal ulong[] PastFingerprintsOf(Type type) => _fingerprints.PastOf(type);

    internal void ThrowIfNotCarried(Type type) => _factory.ThrowIfNotCarried(type);

    internal ObjectPlan? FindByName(string name) => _byName.GetValueOrDefault(name);

    internal ObjectPlan? FindByFingerprint(ulong fingerprint) => _byFingerprint.GetValueOrDefault(fingerprint);

    internal ObjectPlan? FindByProcessId(uint id)
    {
        ObjectPlan[] plans = _byProcessId;
        return id < (uint)plans.Length ? plans[id] : null;
    }

    private ObjectPlan Make(Type type)
    {
        type = PlanFactory.CarriedTypeOf(type);
        lock (_making)
        {
            if (_plans.TryGetValue(type, out ObjectPlan? known))
                return known;
            ObjectPlan plan = _factory.NewPlan(type);
            plan.WireCode = WireTypes.CodeOf(type);
            plan.ProcessId = _byProcessId.Length;
            _byProcessId = [.. _byProcessId, plan];
            if (Rules.Profile == SlimProfile.Trusted)
            {
                _byName[TypeNames.Of(type)] = plan;
                _byFingerprint[FingerprintOf(type)] = plan;
                foreach (PastNames past in Rules.History)
                    _byName.TryAdd(TypeNames.Of(type, past), plan);
                foreach (ulong fingerprint in PastFingerprintsOf(type))
                    _byFingerprint.TryAdd(fingerprint, plan);
            }

            _plans[type] = plan;
            return plan;
        }
    }
}
