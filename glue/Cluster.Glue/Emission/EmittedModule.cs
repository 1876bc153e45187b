using System.Reflection.Emit;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Emission;

/// <summary>A dynamic assembly for the code of one contract, with access to the internal types that the contract uses.
/// Used once.</summary>
internal static class EmittedModule
{
    private static readonly ConstructorInfo Attribute =
        typeof(IgnoresAccessChecksToAttribute).GetConstructor([typeof(string)])!;

    private static int _count;

    public static ModuleBuilder Create(ContractDescription contract, ContractMethod[] methods)
    {
        var name = $"Cluster.Glue.Emitted.{Interlocked.Increment(ref _count)}";
        var assembly = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName(name), AssemblyBuilderAccess.Run);
        foreach (var visible in AssembliesOf(contract, methods))
            assembly.SetCustomAttribute(new CustomAttributeBuilder(Attribute, [visible]));
        return assembly.DefineDynamicModule(name);
    }

    private static IEnumerable<string> AssembliesOf(ContractDescription contract, ContractMethod[] methods)
    {
        var types = new HashSet<Type> { typeof(EmittedModule) };
        Add(types, contract.Type);
        foreach (var method in methods)
        {
            Add(types, method.Method.DeclaringType!);
            Add(types, method.ResultType);
            foreach (var parameter in method.Parameters)
                Add(types, parameter);
            foreach (var argument in method.Method.GetGenericArguments())
                AddArgument(types, argument);
        }

        return types.Select(type => type.Assembly.GetName().Name!).Distinct();
    }

    private static void AddArgument(HashSet<Type> types, Type argument)
    {
        Add(types, argument);
        foreach (var constraint in argument.IsGenericParameter ? argument.GetGenericParameterConstraints() : [])
            Add(types, constraint);
    }

    private static void Add(HashSet<Type> types, Type type)
    {
        if (!types.Add(type))
            return;
        if (type.GetElementType() is { } element)
            Add(types, element);
        foreach (var argument in type.GetGenericArguments())
            Add(types, argument);
    }
}
