namespace Cluster.Glue.Tests.Semantics.Filters;

public sealed class FiltersOverLinkTests() : FilterSemanticTests(SemanticBinding.Link());

public sealed class FiltersOverUnixSocketTests() : FilterSemanticTests(SemanticBinding.UnixSocket());

public sealed class FiltersOverMutualTlsTests() : FilterSemanticTests(SemanticBinding.MutualTls());

public sealed class FiltersOverUnaryTests() : FilterSemanticTests(SemanticBinding.Unary());

public sealed class FiltersInProcessTests() : FilterSemanticTests(SemanticBinding.InProcess());

public sealed class FiltersInProcessSerializedTests() : FilterSemanticTests(SemanticBinding.InProcessSerialized());

public sealed class FilterFailuresOverLinkTests() : FilterFailureSemanticTests(SemanticBinding.Link());

public sealed class FilterFailuresOverUnixSocketTests() : FilterFailureSemanticTests(SemanticBinding.UnixSocket());

public sealed class FilterFailuresOverMutualTlsTests() : FilterFailureSemanticTests(SemanticBinding.MutualTls());

public sealed class FilterFailuresOverUnaryTests() : FilterFailureSemanticTests(SemanticBinding.Unary());

public sealed class FilterFailuresInProcessTests() : FilterFailureSemanticTests(SemanticBinding.InProcess());

public sealed class FilterFailuresInProcessSerializedTests()
    : FilterFailureSemanticTests(SemanticBinding.InProcessSerialized());

public sealed class FilterContextsOverLinkTests() : FilterContextSemanticTests(SemanticBinding.Link());

public sealed class FilterContextsOverUnixSocketTests() : FilterContextSemanticTests(SemanticBinding.UnixSocket());

public sealed class FilterContextsOverMutualTlsTests() : FilterContextSemanticTests(SemanticBinding.MutualTls());

public sealed class FilterContextsOverUnaryTests() : FilterContextSemanticTests(SemanticBinding.Unary());

public sealed class FilterContextsInProcessTests() : FilterContextSemanticTests(SemanticBinding.InProcess());

public sealed class FilterContextsInProcessSerializedTests()
    : FilterContextSemanticTests(SemanticBinding.InProcessSerialized());
