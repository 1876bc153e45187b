namespace Cluster.Slim.Types.Policy;

/// <summary>Finds types with finalizers of users. Stateless.</summary>
internal static class Finalizers
{
    private const BindingFlags Declared =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    /// <summary>Whether a user's finalizer would run on objects of the type.</summary>
    public static bool IsPresent(Type type)
    {
        for (var level = type; level is not null && !TypeRules.IsFramework(level); level = level.BaseType)
        {
            if (level.IsClass && level.GetMethod("Finalize", Declared, Type.EmptyTypes) is { IsVirtual: true })
                return true;
        }

        return false;
    }
}
