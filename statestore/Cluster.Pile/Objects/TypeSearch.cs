using System.Reflection.Metadata;

namespace Cluster.Pile.Objects;

/// <summary>Finds the types of this program by the assembly-qualified names that they had in another process. Versions
/// of assemblies do not count. Stateless beside the aliases.</summary>
internal sealed class TypeSearch(TypeAliases aliases)
{
    private readonly TypeAliases _aliases = aliases;

    /// <summary>The type, or null when this program does not have it or one of its arguments.</summary>
    public Type? Find(string name) => TypeName.TryParse(name, out var parsed) ? Find(parsed) : null;

    private Type? Find(TypeName name)
    {
        if (name.IsArray)
            return Find(name.GetElementType()) is { } element ? ArrayOf(element, name) : null;
        return name.IsConstructedGenericType ? FindGeneric(name) : FindSimple(name);
    }

    private static Type ArrayOf(Type element, TypeName name) =>
        name.IsSZArray ? element.MakeArrayType() : element.MakeArrayType(name.GetArrayRank());

    private Type? FindGeneric(TypeName name)
    {
        var definition = FindSimple(name.GetGenericTypeDefinition());
        Type?[] arguments = [.. name.GetGenericArguments().Select(Find)];
        if (definition is null || arguments.Contains(null))
            return null;
        try
        {
            return definition.MakeGenericType(arguments!);
        }
        catch (ArgumentException)
        {
            // The constraints of the generic type have changed.
            return null;
        }
    }

    // A present name of a type comes before a former name of another type, as in Slim.
    private Type? FindSimple(TypeName name)
    {
        var assembly = name.AssemblyName?.Name ?? "";
        return FindAssembly(assembly)?.GetType(name.FullName, throwOnError: false)
            ?? _aliases.Find(name.FullName, assembly);
    }

    private static Assembly? FindAssembly(string name)
    {
        var loaded = AppDomain.CurrentDomain.GetAssemblies().FirstOrDefault(one => one.GetName().Name == name);
        if (loaded is not null)
            return loaded;
        try
        {
#pragma warning disable RS0030 // These names come from our own folder, which is as trusted as the program.
            return Assembly.Load(new AssemblyName(name));
#pragma warning restore RS0030 // As above.
        }
        catch (Exception e) when (e is IOException or BadImageFormatException or ArgumentException)
        {
            return null;
        }
    }
}
