using System.Collections.Frozen;

namespace Cluster.StateStore.Hosting.States;

/// <summary>The closed list of one state's operations: the registered ones, and those declared in the assembly of the
/// value type. Frozen.</summary>
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
    public static OperationSet<TValue> Create(IEnumerable<Type> registered, List<string> problems)
    {
        var bindings = new Dictionary<Type, OperationBinding<TValue>>();
        foreach (var type in registered.Distinct())
        {
            if (TryBind(type) is { } binding)
                bindings[type] = binding;
            else
                problems.Add(Describe(type));
        }

        foreach (var type in TypesBesideValue().Where(type => !bindings.ContainsKey(type)))
        {
            if (TryBind(type) is { } binding)
                bindings[type] = binding;
        }

        return new OperationSet<TValue>(bindings.Values);
    }

    private static string Describe(Type type) =>
        $"operation {type.FullName} must be a concrete, non-generic type that implements IStateOperation<" +
        $"{typeof(TValue).Name}, TResult> for exactly one TResult";

    private static OperationBinding<TValue>? TryBind(Type type)
    {
        if (type.IsAbstract || type.IsInterface || type.ContainsGenericParameters || type.FullName is null)
            return null;
        var contracts = type.GetInterfaces().Where(IsOperationOfValue).ToArray();
        if (contracts.Length != 1)
            return null;
        var result = contracts[0].GetGenericArguments()[1];
        var binding = typeof(TypedOperationBinding<,,>).MakeGenericType(typeof(TValue), type, result);
        return (OperationBinding<TValue>)Activator.CreateInstance(binding, nonPublic: true)!;
    }

    private static bool IsOperationOfValue(Type contract) =>
        contract.IsGenericType
        && contract.GetGenericTypeDefinition() == typeof(IStateOperation<,>)
        && contract.GetGenericArguments()[0] == typeof(TValue);

    private static IEnumerable<Type> TypesBesideValue()
    {
        // The core library declares no operations, and a search through it takes a while.
        if (typeof(TValue).Assembly == typeof(object).Assembly)
            return [];
        try
        {
            return typeof(TValue).Assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException e)
        {
            return e.Types.OfType<Type>();
        }
    }
}
