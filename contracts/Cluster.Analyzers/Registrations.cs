using Cluster.Analyzers.Contracts;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Cluster.Analyzers;

/// <summary>Recognizes the calls that register contracts and states, and finds their type arguments.
/// Stateless.</summary>
internal static class Registrations
{
    private const string ContractParameter = "TContract";
    private const string KeyParameter = "TKey";
    private const string ValueParameter = "TValue";

    /// <summary>The contract that a call registers or makes a proxy of, with its place in the source.</summary>
    public static (ITypeSymbol Type, Location Place)? FindContract(IInvocationOperation call) =>
        ContractNames.Methods.Contains(call.TargetMethod.Name) ? Find(call, ContractParameter) : null;

    /// <summary>The key type of a state that a call registers.</summary>
    public static (ITypeSymbol Type, Location Place)? FindKey(IInvocationOperation call) =>
        IsState(call) ? Find(call, KeyParameter) : null;

    /// <summary>The value type of a state that a call registers.</summary>
    public static (ITypeSymbol Type, Location Place)? FindValue(IInvocationOperation call) =>
        IsState(call) ? Find(call, ValueParameter) : null;

    private static bool IsState(IInvocationOperation call) => call.TargetMethod.Name is "AddState" or "AddCache";

    private static (ITypeSymbol Type, Location Place)? Find(IInvocationOperation call, string parameter)
    {
        var method = call.TargetMethod;
        if (!method.IsGenericMethod || !SymbolNames.IsInCluster(method))
            return null;
        for (var i = 0; i < method.TypeParameters.Length; i++)
        {
            if (method.TypeParameters[i].Name == parameter)
                return (method.TypeArguments[i], PlaceOf(call.Syntax, i));
        }

        return null;
    }

    private static Location PlaceOf(SyntaxNode call, int index)
    {
        var called = (call as InvocationExpressionSyntax)?.Expression;
        var name = called is MemberAccessExpressionSyntax access ? access.Name
            : called is MemberBindingExpressionSyntax binding ? binding.Name
            : called;
        return name is GenericNameSyntax generic && index < generic.TypeArgumentList.Arguments.Count
            ? generic.TypeArgumentList.Arguments[index].GetLocation()
            : (name ?? call).GetLocation();
    }
}
