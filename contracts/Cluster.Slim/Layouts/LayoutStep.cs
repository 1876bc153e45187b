namespace Cluster.Slim.Layouts;

/// <summary>One step of a layout.</summary>
/// <param name="Op">Says what the step reads from a message.</param>
/// <param name="Count">The number operand: bytes, repetitions, dimensions or the version of a codec.</param>
/// <param name="Types">The declared types of the places that the step reads.</param>
internal sealed record LayoutStep(LayoutOp Op, int Count, TypeLayout[] Types);

/// <summary>One field of a layout.</summary>
/// <param name="Name">The name in the description, see <see cref="FieldNames.Shorten"/>.</param>
/// <param name="Level">The number of steps from the type up to the base class that declares the field.</param>
/// <param name="Type">The layout of the declared type.</param>
internal sealed record FieldLayout(string Name, int Level, TypeLayout Type);
