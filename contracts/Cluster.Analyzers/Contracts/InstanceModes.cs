using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Cluster.Analyzers.Contracts;

/// <summary>The rules of Glue for the instance mode that a service is registered with. Stateless.</summary>
internal static class InstanceModes
{
    private const string ModeType = "Cluster.Glue.GlueInstanceMode";
    private const string Constructor = "Cluster.Contracts.ConstructorAttribute";
    private const string Destructor = "Cluster.Contracts.DestructorAttribute";

    /// <summary>Finds a method that the mode needs and the contract lacks, or that the mode ignores.</summary>
    public static string? ProblemOf(INamedTypeSymbol contract, IInvocationOperation registration)
    {
        if (FindMode(registration) is not { } mode)
            return null;
        var methods = ContractRules.MethodsOf(contract).ToArray();
        var constructor = methods.FirstOrDefault(static m => SymbolNames.HasAttribute(m, Constructor));
        if (mode == "Stateful" && constructor is null)
            return "is registered as Stateful and has no [Constructor] method; add one";
        if (mode != "Stateful" && constructor is not null)
            return $"has the [Constructor] method '{constructor.Name}'; make it Stateful";
        if (mode is not ("Stateful" or "AutoConstructed")
            && methods.FirstOrDefault(static m => SymbolNames.HasAttribute(m, Destructor)) is { } destructor)
            return $"has the [Destructor] method '{destructor.Name}'; make it Stateful";
        return constructor is not null && !ReturnsInstance(constructor)
            ? $"[Constructor] method '{constructor.Name}' must return a GlueInstance"
            : null;
    }

    private static string? FindMode(IInvocationOperation registration)
    {
        var argument = registration.Arguments.FirstOrDefault(static a => SymbolNames.Is(a.Parameter?.Type, ModeType));
        if (argument?.Value is not { ConstantValue: { HasValue: true, Value: { } value }, Type: { } type })
            return null;
        return type.GetMembers().OfType<IFieldSymbol>()
            .FirstOrDefault(field => field.HasConstantValue && Equals(field.ConstantValue, value))?.Name;
    }

    private static bool ReturnsInstance(IMethodSymbol method)
    {
        var result = SymbolNames.IsTask(method.ReturnType, out var awaited) ? awaited : method.ReturnType;
        return SymbolNames.Is(result, "Cluster.Contracts.GlueInstance");
    }
}
