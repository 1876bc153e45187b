using System.Collections.ObjectModel;

namespace Cluster.Slim.Types;

/// <summary>Finds the read-only lists that the compiler makes for collection expressions. Their types differ between
/// assemblies and no code can name them, so they travel as a <see cref="ReadOnlyCollection{T}"/>.</summary>
internal static class CollectionExpressions
{
    private const string NamePrefix = "<>z__ReadOnly";

    public static Type? CarriedTypeOf(Type type) =>
        type.IsConstructedGenericType && type.Name.StartsWith(NamePrefix, StringComparison.Ordinal)
        && type.GetGenericArguments() is [Type item] && type.IsDefined(typeof(CompilerGeneratedAttribute), false)
            ? typeof(ReadOnlyCollection<>).MakeGenericType(item)
            : null;
}
