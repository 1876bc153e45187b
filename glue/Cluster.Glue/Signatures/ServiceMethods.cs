namespace Cluster.Glue.Signatures;

/// <summary>Finds the methods of classes that implement those of contracts. Pure.</summary>
internal static class ServiceMethods
{
    /// <summary>The method of the class; null where only an interface was registered.</summary>
    /// <param name="implementation">The class of the service.</param>
    /// <param name="method">Of the contract; a generic one is looked for by its definition.</param>
    public static MethodInfo? Find(Type implementation, MethodInfo method)
    {
        if (implementation.IsInterface || method.DeclaringType is not { IsInterface: true } declaring
            || !declaring.IsAssignableFrom(implementation))
            return null;
        var map = implementation.GetInterfaceMap(declaring);
        var declared = method.IsGenericMethod ? method.GetGenericMethodDefinition() : method;
        var at = Array.IndexOf(map.InterfaceMethods, declared);
        return at < 0 ? null : map.TargetMethods[at];
    }
}
