using Cluster.Slim;

namespace Cluster.Glue.Signatures;

/// <summary>Finds the aliases of the types that travel: those that a contract mentions, what their fields reach, and
/// further types of the same assemblies, because objects may be of those. Used once per contract.</summary>
internal static class TypeAliases
{
    private const BindingFlags Declared =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    public static void Apply(ContractDescription contract, SlimOptions options)
    {
        foreach (var type in AssembliesOf(contract.TravellingTypes).SelectMany(TypesOf))
        {
            foreach (var alias in PastSignatures.AliasesOf(type))
                options.Alias(alias, type);
            foreach (var member in type.GetFields(Declared).Concat<MemberInfo>(type.GetProperties(Declared)))
            {
                foreach (var alias in PastSignatures.AliasesOf(member))
                    options.Alias(alias, type, member.Name);
            }
        }
    }

    private static HashSet<Assembly> AssembliesOf(IEnumerable<Type> types)
    {
        var assemblies = new HashSet<Assembly>();
        var seen = new HashSet<Type>();
        var waiting = new Queue<Type>(types);
        while (waiting.TryDequeue(out var type))
        {
            if (!seen.Add(type))
                continue;
            foreach (var part in PartsOf(type))
                waiting.Enqueue(part);
            if (!IsFramework(type))
                assemblies.Add(type.Assembly);
        }

        return assemblies;
    }

    private static IEnumerable<Type> PartsOf(Type type)
    {
        IEnumerable<Type> parts = type.GetGenericArguments();
        if (type.GetElementType() is { } element)
            return parts.Append(element);
        if (IsFramework(type))
            return parts;
        parts = parts.Concat(type.GetFields(Declared).Select(field => field.FieldType));
        return type.BaseType is { } above ? parts.Append(above) : parts;
    }

    private static IEnumerable<Type> TypesOf(Assembly assembly)
    {
        try
        {
            return assembly.GetTypes().Where(type => !type.IsInterface);
        }
        catch (ReflectionTypeLoadException partly)
        {
            return partly.Types.OfType<Type>().Where(type => !type.IsInterface);
        }
    }

    private static bool IsFramework(Type type) =>
        type.Assembly == typeof(object).Assembly
            || type.Assembly.GetName().Name!.StartsWith("System.", StringComparison.Ordinal);
}
