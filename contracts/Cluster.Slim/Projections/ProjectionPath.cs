using System.Linq.Expressions;
using Cluster.Slim.Layouts;
using Cluster.Slim.Types;

namespace Cluster.Slim.Projections;

/// <summary>Converts the expression of a member into the fields on the path to it.</summary>
internal static class ProjectionPath
{
    public static FieldInfo[] Of<T, TResult>(Expression<Func<T, TResult>> member)
    {
        Stack<FieldInfo> fields = new();
        var at = member.Body;
        while (at is MemberExpression access)
        {
            fields.Push(FieldOf(access.Member));
            at = WithoutCast(access.Expression);
        }

        if (at != member.Parameters[0] || fields.Count == 0)
        {
            throw new ArgumentException(
                $"'{member.Body}' is not a path of fields and automatic properties that begins at the object.",
                nameof(member));
        }

        return fields.Last().FieldType == typeof(TResult)
            ? [.. fields]
            : throw new ArgumentException($"'{member.Body}' is a {fields.Last().FieldType}.", nameof(member));
    }

    private static Expression? WithoutCast(Expression? expression) =>
        expression is UnaryExpression { NodeType: ExpressionType.Convert or ExpressionType.TypeAs } cast
        && !cast.Type.IsValueType
            ? cast.Operand
            : expression;

    private static FieldInfo FieldOf(MemberInfo member)
    {
        var declaring = member.DeclaringType!;
        var name = member is PropertyInfo ? FieldNames.BackingOf(member.Name) : member.Name;
        var field = TypeRules.IsFramework(declaring)
            ? null
            : TypeShape.FieldsOf(declaring).Find(f => f.Name == name && f.DeclaringType == declaring);
        return field ?? throw new ArgumentException(
            $"{declaring}.{member.Name} is neither a field that is carried nor an automatic property.", nameof(member));
    }
}
