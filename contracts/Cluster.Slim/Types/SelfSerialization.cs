namespace Cluster.Slim.Types;

/// <summary>Which types say themselves what is carried of them. Classes derived from framework exceptions and
/// collections do not: our codecs carry those, and their own fields beside. Stateless.</summary>
internal static class SelfSerialization
{
    public static bool IsPresent(Type type) => FormatterInterfaces.IsSerializable(type) && TypeShape.IsAllUser(type);
}
