namespace Cluster.Slim.Fields;

/// <summary>Makes instances of closed generic serializers and field serializers; failures of their constructors come
/// out unwrapped.</summary>
internal static class Activations
{
    private const BindingFlags Constructors = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic
        | BindingFlags.DoNotWrapExceptions;

    public static object New(Type open, Type[] arguments, params object[] values) => Activator.CreateInstance(
        open.IsGenericTypeDefinition ? open.MakeGenericType(arguments) : open, Constructors, null, values, null)!;
}
