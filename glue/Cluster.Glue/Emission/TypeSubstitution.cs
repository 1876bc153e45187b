using System.Linq.Expressions;
using System.Reflection.Emit;

namespace Cluster.Glue.Emission;

/// <summary>The type parameters of an emitted override of a generic method, with the same constraints, and the types of
/// the method with these parameters in place of the original ones. Used while one method is emitted.</summary>
internal sealed class TypeSubstitution
{
    private readonly Type[] _original;
    private readonly GenericTypeParameterBuilder[] _emitted;

    private TypeSubstitution(Type[] original, GenericTypeParameterBuilder[] emitted)
    {
        _original = original;
        _emitted = emitted;
    }

    /// <summary>A type that contains all type arguments, as the key of a closed form.</summary>
    public Type Key => Expression.GetActionType([.. Enumerable.Repeat(typeof(int), _emitted.Length)])
        .GetGenericTypeDefinition().MakeGenericType(_emitted);

    /// <summary>Gives the emitted method the type parameters of the overridden one.</summary>
    public static TypeSubstitution Define(MethodBuilder method, MethodInfo overridden)
    {
        if (!overridden.IsGenericMethodDefinition)
            return new TypeSubstitution([], []);
        var original = overridden.GetGenericArguments();
        var types = new TypeSubstitution(
            original, method.DefineGenericParameters(Array.ConvertAll(original, parameter => parameter.Name)));
        for (var i = 0; i < original.Length; i++)
            types.Constrain(i);
        return types;
    }

    /// <summary>The type with the emitted type parameters.</summary>
    public Type Of(Type type)
    {
        if (_original.Length == 0 || !type.ContainsGenericParameters)
            return type;
        if (type.IsGenericMethodParameter)
            return _emitted[type.GenericParameterPosition];
        if (type.IsArray)
            return type.IsSZArray ? Of(type.GetElementType()!).MakeArrayType() : ArrayOf(type);
        return type.GetGenericTypeDefinition().MakeGenericType(Array.ConvertAll(type.GetGenericArguments(), Of));
    }

    private Type ArrayOf(Type type) => Of(type.GetElementType()!).MakeArrayType(type.GetArrayRank());

    private void Constrain(int index)
    {
        var emitted = _emitted[index];
        emitted.SetGenericParameterAttributes(_original[index].GenericParameterAttributes);
        var interfaces = new List<Type>();
        foreach (var constraint in _original[index].GetGenericParameterConstraints())
        {
            if (constraint.IsInterface)
                interfaces.Add(Of(constraint));
            else
                emitted.SetBaseTypeConstraint(Of(constraint));
        }

        emitted.SetInterfaceConstraints([.. interfaces]);
    }
}
