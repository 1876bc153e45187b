namespace Cluster.Slim.Types;

/// <summary>Decides which types write their content by <c>GetObjectData</c>. Classes derived from exceptions and
/// collections of the framework do not: built-in codecs carry the framework's part, and the fields of the user follow.
/// Stateless.</summary>
internal static class SelfSerialization
{
    public static bool IsPresent(Type type) => FormatterInterfaces.IsSerializable(type) && TypeShape.IsAllUser(type);
}
