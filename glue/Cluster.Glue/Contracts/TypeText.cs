using System.Text;

namespace Cluster.Glue.Contracts;

/// <summary>
/// Writes type names without assemblies and versions, equal on all nodes that share the contract. Pure.
/// </summary>
internal static class TypeText
{
    public static string Of(Type type)
    {
        var text = new StringBuilder();
        Append(text, type);
        return text.ToString();
    }

    private static void Append(StringBuilder text, Type type)
    {
        if (type.IsArray)
        {
            Append(text, type.GetElementType()!);
            text.Append('[').Append(',', type.GetArrayRank() - 1).Append(']');
            return;
        }

        if (type.IsGenericMethodParameter)
        {
            // By position: what a type parameter is called does not matter.
            text.Append("!!").Append(type.GenericParameterPosition);
            return;
        }

        if (!type.IsConstructedGenericType)
        {
            text.Append(type.FullName ?? type.Name);
            return;
        }

        text.Append(type.GetGenericTypeDefinition().FullName).Append('<');
        Type[] arguments = type.GetGenericArguments();
        for (int i = 0; i < arguments.Length; i++)
        {
            if (i > 0)
                text.Append(',');
            Append(text, arguments[i]);
        }

        text.Append('>');
    }
}
