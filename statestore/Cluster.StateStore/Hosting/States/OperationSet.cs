using System.Collections.Frozen;

namespace Cluster.StateStore.Hosting.States;

/// <summary>The closed list of one state's operations, as <see cref="OperationTypes"/> finds them. Frozen.</summary>
/// <typeparam name="TValue">The value type of the state.</typeparam>
internal sealed class OperationSet<TValue>
{
    private readonly FrozenDictionary<ulong, OperationBinding<TValue>> _byId;
    private readonly FrozenDictionary<Type, OperationBinding<TValue>> _byType;

    private OperationSet(IReadOnlyCollection<OperationBinding<TValue>> bindings)
    {
        _byId = bindings.ToFrozenDictionary(binding => binding.Id);
        _byType = bindings.ToFrozenDictionary(binding => binding.Type);
    }

    public OperationBinding<TValue>? Find(ulong id) => _byId.GetValueOrDefault(id);

    public OperationBinding<TValue>? Find(Type type) => _byType.GetValueOrDefault(type);

    /// <summary>Collects the operations; adds to the problems what is wrong with a registered one.</summary>
    public static OperationSet<TValue> Create(IEnumerable<Type> registered, List<string> problems) =>
        new([.. OperationTypes.Find<TValue>(registered, problems).Select(found => Bind(found.Key, found.Value))]);

    private static OperationBinding<TValue> Bind(Type operation, Type result)
    {
        var binding = typeof(TypedOperationBinding<,,>).MakeGenericType(typeof(TValue), operation, result);
        return (OperationBinding<TValue>)Activator.CreateInstance(binding, nonPublic: true)!;
    }
}
