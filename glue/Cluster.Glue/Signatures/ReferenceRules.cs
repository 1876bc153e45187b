namespace Cluster.Glue.Signatures;

/// <summary>Which declared types are passed by reference: streams, and interfaces that can be called back. An interface
/// is a callback when it is closed and not of the framework, and when all its methods return tasks or streams or are
/// one-way. Members of <see cref="IDisposable"/> and <see cref="IAsyncDisposable"/> do not count. A type that the user
/// allows by name is data, but that is decided by the serializer and not here. Pure; answers are cached.</summary>
internal static class ReferenceRules
{
    private static readonly ConcurrentDictionary<Type, bool> Known = new();

    public static bool IsReference(Type type) => IsStream(type) || IsCallback(type);

    public static bool IsStream(Type type) =>
        type.IsConstructedGenericType && type.GetGenericTypeDefinition() == typeof(IAsyncEnumerable<>);

    public static bool IsCallback(Type type) => type.IsInterface && Known.GetOrAdd(type, FindCallback);

    private static bool FindCallback(Type type)
    {
        if (IsFramework(type) || type.ContainsGenericParameters)
            return false;
        var members = type.GetInterfaces().Append(type)
            .Where(one => !ContractRules.IsLocal(one))
            .SelectMany(one => one.GetMembers(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic))
            .ToArray();
        return members.Length > 0 && Array.TrueForAll(members, IsAsynchronous);
    }

    // An interface with properties or plain methods is for objects that are copied.
    private static bool IsAsynchronous(MemberInfo member)
    {
        if (member is not MethodInfo { IsSpecialName: false } method)
            return false;
        var result = method.ReturnType;
        return result == typeof(Task) || result == typeof(ValueTask) || IsStream(result)
            || method.IsDefined(typeof(OneWayAttribute), inherit: false)
            || (result.IsConstructedGenericType
                && result.GetGenericTypeDefinition() is var definition
                && (definition == typeof(Task<>) || definition == typeof(ValueTask<>)));
    }

    private static bool IsFramework(Type type)
    {
        var name = type.Assembly.GetName().Name!;
        return name is "mscorlib" or "netstandard"
            || name.StartsWith("System.", StringComparison.Ordinal)
            || name.StartsWith("Microsoft.", StringComparison.Ordinal);
    }
}
