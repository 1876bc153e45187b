using System.Text.RegularExpressions;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>One place of Glue's source that refuses input: its name, and what its refusals say. Immutable.</summary>
/// <param name="Name">File, member, and the field that is read there or the number of the refusal in the member.</param>
/// <param name="Says">Matches the text of the refusal and of no other.</param>
internal sealed record WireRule(string Name, Regex Says);
