namespace Cluster.StateStore.Hosting.States;

/// <summary>Finds the operation types of a state: the registered ones, and those declared in the assembly of the value
/// type. Stateless.</summary>
public static class OperationTypes
{
    /// <summary>Finds the operations with their results; adds to the problems what is wrong with a registered
    /// one.</summary>
    /// <typeparam name="TValue">The value type of the state.</typeparam>
    /// <param name="registered">The registered types.</param>
    /// <param name="problems">Gets one text for each registered type that is no operation.</param>
    /// <returns>The type of the result by the type of the operation.</returns>
    public static IReadOnlyDictionary<Type, Type> Find<TValue>(
        IEnumerable<Type> registered, ICollection<string> problems)
    {
        ArgumentNullException.ThrowIfNull(registered);
        ArgumentNullException.ThrowIfNull(problems);
        var found = new Dictionary<Type, Type>();
        foreach (var type in registered.Distinct())
        {
            if (FindResult<TValue>(type) is { } result)
                found[type] = result;
            else
                problems.Add(Describe<TValue>(type));
        }

        foreach (var type in TypesBesideValue<TValue>())
        {
            if (FindResult<TValue>(type) is { } result)
                found[type] = result;
        }

        return found;
    }

    private static string Describe<TValue>(Type type) =>
        $"operation {type.FullName} must be a concrete, non-generic type that implements IStateOperation<" +
        $"{typeof(TValue).Name}, TResult> for exactly one TResult";

    private static Type? FindResult<TValue>(Type type)
    {
        if (type.IsAbstract || type.IsInterface || type.ContainsGenericParameters || type.FullName is null)
            return null;
        var contracts = type.GetInterfaces().Where(IsOperationOf<TValue>).ToArray();
        return contracts.Length == 1 ? contracts[0].GetGenericArguments()[1] : null;
    }

    private static bool IsOperationOf<TValue>(Type contract) =>
        contract.IsGenericType
        && contract.GetGenericTypeDefinition() == typeof(IStateOperation<,>)
        && contract.GetGenericArguments()[0] == typeof(TValue);

    private static IEnumerable<Type> TypesBesideValue<TValue>()
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
