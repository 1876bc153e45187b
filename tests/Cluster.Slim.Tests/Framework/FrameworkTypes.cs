using System.Runtime.Loader;

namespace Cluster.Slim.Tests.Framework;

/// <summary>The types of the shared framework that the table has to name: what the framework once declared
/// serializable, and what could be data in the namespaces of types that are carried.</summary>
internal static class FrameworkTypes
{
    private static readonly string[] Namespaces =
    [
        "System", "System.Collections", "System.Collections.Concurrent", "System.Collections.Frozen",
        "System.Collections.Generic", "System.Collections.Immutable", "System.Collections.ObjectModel",
        "System.Collections.Specialized", "System.Data.SqlTypes", "System.Drawing", "System.Globalization",
        "System.Net", "System.Net.Http", "System.Numerics", "System.Runtime.Intrinsics", "System.Text",
        "System.Text.Json", "System.Text.Json.Nodes", "System.Xml.Linq",
    ];

    public static Type[] All { get; } =
    [
        .. Exported().Where(static t => IsSerializable(t) || MayBeData(t)).Where(static t => !IsPartOfCollection(t))
            .DistinctBy(static t => t.FullName).OrderBy(static t => t.FullName, StringComparer.Ordinal),
    ];

    private static IEnumerable<Type> Exported()
    {
        var folder = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        return Directory.GetFiles(folder, "*.dll")
            .Where(static path => Path.GetFileName(path) is var name
                && (name.StartsWith("System", StringComparison.Ordinal)
                    || name.StartsWith("Microsoft", StringComparison.Ordinal))
                && !name.EndsWith(".Native.dll", StringComparison.Ordinal))
            .Select(static path => new AssemblyName(Path.GetFileNameWithoutExtension(path)))
            .SelectMany(static name => AssemblyLoadContext.Default.LoadFromAssemblyName(name).GetExportedTypes());
    }

#pragma warning disable SYSLIB0050 // The mark of old is what the list is made by; nothing is serialized with it.
    private static bool IsSerializable(Type type) => type.Attributes.HasFlag(TypeAttributes.Serializable);
#pragma warning restore SYSLIB0050

    // Static classes have no values; interfaces, delegates and attributes are declarations.
    private static bool MayBeData(Type type) =>
        Namespaces.Contains(type.Namespace) && !(type.IsAbstract && type.IsSealed) && !type.IsInterface
        && !type.IsByRefLike && !typeof(Attribute).IsAssignableFrom(type) && !typeof(Delegate).IsAssignableFrom(type);

    // Enumerators and views that a collection hands out are refused by rule; naming each would hide the others.
    private static bool IsPartOfCollection(Type type) =>
        type.IsNested && (type.Name.Contains("Enumerator", StringComparison.Ordinal)
            || type.Name.Contains("AlternateLookup", StringComparison.Ordinal));
}
