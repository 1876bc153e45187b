using Cluster.Slim;

namespace Cluster.Nodes.AspNetCore.Sessions;

/// <summary>Finds the types that a typed value of sessions puts on the closed list: the type itself, its operations and
/// their results. Stateless.</summary>
internal static class SessionStateTypes
{
    /// <summary>Finds them.</summary>
    /// <returns>Adds them to the options of a serializer.</returns>
    /// <exception cref="ArgumentException">An operation is none for the type.</exception>
    public static Action<SlimOptions> Find<T>(SessionStateOptions<T> options)
        where T : class
    {
        string[] wrong = [.. options.Operations.Where(type => !IsOperationOf(type, typeof(T))).Select(Describe<T>)];
        if (wrong.Length > 0)
            throw new ArgumentException($"Session state {typeof(T).Name}: {string.Join("; ", wrong)}.");
        Type[] operations = [.. options.Operations.Concat(OperationsBeside(typeof(T))).Distinct()];
        var results = operations.Select(type => OperationRunner.ContractOf(type)!.GetGenericArguments()[1]);
        Type[] types = [typeof(T), .. operations, .. results.Where(CanBeListed)];
        return list =>
        {
            foreach (var type in types)
                list.Allow(type);
            options.Types?.Invoke(list);
        };
    }

    private static string Describe<T>(Type type) =>
        $"operation {type.FullName} must be a concrete type that implements IStateOperation<{typeof(T).Name}, TResult> "
        + "exactly once";

    private static bool IsOperationOf(Type type, Type state) =>
        OperationRunner.ContractOf(type)?.GetGenericArguments()[0] == state;

    private static IEnumerable<Type> OperationsBeside(Type state) =>
        state.Assembly == typeof(object).Assembly
            ? []
            : state.Assembly.GetTypes().Where(type => IsOperationOf(type, state));

    // An interface or abstract class has no values of its own; the user lists those that stand for it.
    private static bool CanBeListed(Type type) => !type.IsInterface && !type.IsAbstract && type != typeof(object);
}
